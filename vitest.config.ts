import { defineConfig } from "vitest/config";

/** Tests that start no Chromium. */
const WITHOUT_PAGES = ["bin", "browser", "rpc", "security"].map((folder) => `spec/${folder}/**/*.test.ts`);

/** Two workers for two processor cores; of the tests that drive a Chromium, one file runs at a time. */
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
      { extends: true, test: { name: "plain", include: WITHOUT_PAGES } },
      {
        extends: true,
        test: {
          name: "pages",
          include: ["spec/**/*.test.ts"],
          exclude: WITHOUT_PAGES,
          fileParallelism: false,
        },
      },
    ],
  },
});
