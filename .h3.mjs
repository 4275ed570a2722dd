import { runStory } from './build/test/harness/case-run.js';
import { readCase } from './build/test/harness/case-file.js';
import { targets } from './build/test/harness/target.js';
const dir='test/cases/014-merge-duplicate-null-keys';
console.time('t');
for (const s of readCase(dir).slice(0,1)) console.log(JSON.stringify((await runStory(dir, s, {bin: process.cwd()+'/.h-stub.mjs', createTarget: targets.duckdb})).map(f=>[f.run,f.differences])));
console.timeEnd('t');
