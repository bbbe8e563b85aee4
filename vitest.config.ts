import { defineConfig } from "vitest/config";

/** What runs parts of the product in its own process, and leaves traces in them: each file with a process to itself. */
const INSIDE = [
  "{browser,refs,rpc,security}/**/*",
  "{client,bin/{answers,confirm,resend,setup},commands/cascade,errors,wording}",
  "core/{agent_files,denied_hosts,file_loads,first_loads,load_guard,ownership,rebuild,remote_agent,session}",
].map((files) => `spec/${files}.test.ts`);

/** Two workers for two processor cores; most of what a test of pages takes is waiting. */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    // Of one file, where each test has a daemon and a browser of its own, and mostly waits for them.
    maxConcurrency: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores are shared by runners, daemons and a Chromium that may crash. What passes at the second try only is
    // printed as `retry x1`: a race, in the test or in the product, that is to be found.
    retry: 1,
    globalSetup: ["spec/built.ts", "spec/leftovers.ts", "spec/run_folder.ts"],
    setupFiles: ["spec/seed.ts"],
    reporters: ["default"],
    projects: [
      { extends: true, test: { name: "inside", include: INSIDE } },
      // What drives the product from outside: to load the tests' own modules anew for each would take half a minute.
      {
        extends: true,
        test: { name: "outside", include: ["spec/**/*.test.ts"], exclude: INSIDE, isolate: false, unstubEnvs: true },
      },
    ],
  },
});
