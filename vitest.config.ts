import { defineConfig } from "vitest/config";

/** Two workers for two processor cores; most of what a test of pages takes is waiting. */
export default defineConfig({
  test: {
    include: ["spec/**/*.test.ts"],
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
  },
});
