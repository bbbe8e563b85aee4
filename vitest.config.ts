import { defineConfig } from "vitest/config";

/** What defines commands, stands in for modules or changes the process it runs in: each file has one to itself. */
const APART = ["client", "rpc/**/*", "security/**/*", "core/remote_agent", "bin/confirm"].map(
  (file) => `spec/${file}.test.ts`,
);

/** Two workers for two processor cores; most of what a test of pages takes is waiting. */
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores are shared by runners, daemons and a Chromium that may crash. What passes at the second try only is
    // printed as `retry x1`: a race, in the test or in the product, that is to be found.
    retry: 1,
    globalSetup: ["spec/built.ts", "spec/leftovers.ts"],
    setupFiles: ["spec/seed.ts"],
    reporters: ["default"],
    projects: [
      { extends: true, test: { name: "apart", include: APART } },
      // To load the product's modules anew for each of the others would take half a minute.
      {
        extends: true,
        test: { name: "together", include: ["spec/**/*.test.ts"], exclude: APART, isolate: false, unstubEnvs: true },
      },
    ],
  },
});
