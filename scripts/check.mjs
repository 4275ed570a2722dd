// `npm run check`: format, lint, types, boundaries, dead code, build, API report, package.
import { runChecks } from './checks.mjs';

const { failed } = runChecks();
process.exit(failed === 0 ? 0 : 1);
