import { defineConfig } from "vitest/config";

/** What leaves something in its process that another file would find, such as a command of its own: a process for each. */
const ALONE = files([
  "rpc/{wire,methods}/*",
  "rpc/{events/hub,gate/call_record,line/{argv,params}}",
  "{bin/confirm,core/{agent_limits,remote_agent},security/secrets/typed_secrets,browser/driver/contract}",
]);

/** What runs parts of the product in its own process. */
const INSIDE = files([
  "{browser,refs,rpc,security}/**/*",
  "{client,bin/{answers,resend,setup},commands/cascade,errors,wording}",
  "core/{agent_files,denied_hosts,file_loads,first_loads,load_guard,ownership,rebuild,session}",
]);

function files(names: string[]): string[] {
  return names.map((name) => `spec/${name}.test.ts`);
}

/** A project whose files share their processes, and the modules in them: loading those anew for each takes a minute. */
function together(name: string, include: string[], exclude: string[]) {
  return { extends: true as const, test: { name, include, exclude, isolate: false, unstubEnvs: true } };
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
    projects: [
      { extends: true, test: { name: "alone", include: ALONE } },
      together("inside", INSIDE, ALONE),
      together("outside", ["spec/**/*.test.ts"], [...INSIDE, ...ALONE]),
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
