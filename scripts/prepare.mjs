// After `npm ci`: the command is there at once. Without the development tools (`npm ci --omit=dev`) there is nothing to build with.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
if (existsSync(resolve(root, 'node_modules/typescript')) && existsSync(resolve(root, 'src'))) await import('./build.mjs');
