// Checks every import below src against boundaries.cjs, and that the checker really looked: an entry of the table
// whose files exist but were not seen is a failure, never a pass.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const require = createRequire(import.meta.url);
const boundaries = require('../boundaries.cjs');
const { forbidden, options } = require('../.dependency-cruiser.cjs');

// Another project folder can be named, for the checker's own tests.
const base = resolve(process.argv[2] ?? '.');
process.chdir(base);
const roots = ['src', 'test', 'ui'].filter((root) => existsSync(root));
const { output } = await cruise(
  roots,
  { ...options, baseDir: base, ruleSet: { forbidden }, validate: true },
  {},
  { tsConfig: extractTSConfig('tsconfig.json') },
);

const seen = output.modules.map((module) => module.source);
const files = roots
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => `${root}/${name}`))
  .filter((name) => name.endsWith('.ts'));
const toPattern = (path) => new RegExp(`^src/${path.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}${path.endsWith('.ts') ? '$' : '/'}`);
const unseen = boundaries.filter(
  ({ path }) => files.some((file) => toPattern(path).test(file)) && !seen.some((file) => toPattern(path).test(file)),
);
const missed = files.filter((file) => !file.endsWith('.d.ts') && !seen.includes(file));

for (const { from, to, rule } of output.summary.violations) console.log(`${from} → ${to}: ${rule.name}`);
for (const { path } of unseen) console.log(`boundaries.cjs: ${path}: its files exist, but no module was seen`);
if (missed.length > 0) console.log(`not seen by the checker: ${missed.join(', ')}`);

const faults = output.summary.violations.length + unseen.length + missed.length;
console.log(`boundaries: ${seen.length} modules, ${boundaries.length} entries, ${faults} faults`);
process.exit(faults === 0 ? 0 : 1);
