#!/usr/bin/env node
// `--version` answers before anything else is read: scripts ask it often.
import { version } from '../version.ts';

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { runProcess } = await import('./process.ts');
  await runProcess(args);
}
