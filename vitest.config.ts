import { defineConfig } from "vitest/config";

/** What runs parts of the product in its own process, and leaves traces in them: each file with a process to itself. */
const INSIDE = files([
  "{browser,refs,rpc,security,skills/{making,notes,run,store}}/**/*",
  "{client,client_alone,client_events,bin/{answers,confirm,resend,setup},commands/inspect/cascade,errors,wording}",
  "core/{agent_files,agent_limits,ownership,remote_agent,web_page}",
]);

function files(names: string[]): string[] {
  return names.map((name) => `spec/${name}.test.ts`);
}

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
    setupFiles: ["spec/seed.ts", "spec/traces.ts"],
    reporters: ["default"],
    // As the product has it where a model is loaded.
    env: { ORT_DISABLE_TELEMETRY: "1", ORT_TELEMETRY_DISABLED: "1" },
    projects: [
      { extends: true, test: { name: "inside", include: INSIDE } },
      // What drives the product from outside: its files share their processes, and in them a daemon and a browser.
      {
        extends: true,
        test: { name: "outside", include: ["spec/**/*.test.ts"], exclude: INSIDE, isolate: false, unstubEnvs: true },
      },
      // The tests of the client once more, with the other one.
      {
        extends: true,
        test: {
          name: "native",
          include: ["spec/bin/{answers,busy,confirm,repl,resend,start,state_folder}.test.ts"],
          env: { CLIENT_UNDER_TEST: "native" },
          setupFiles: ["spec/needs_compiler.ts"],
        },
      },
    ],
  },
});
