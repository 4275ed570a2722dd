import { defineConfig } from 'vitest/config';

/** One project: unit tests beside the code, everything that crosses folders under test/, the page under ui/. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'ui/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    restoreMocks: true,
    unstubEnvs: true,
    // A run must not depend on where the machine stands: tests that need another zone set it themselves.
    env: { TZ: 'UTC' },
  },
});
