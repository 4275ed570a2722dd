// fills the outputs of a guide: a console line "@@" or "@@ N" is replaced by what came.
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { runGuide } from './guide-run.ts';
import { stepsOf } from './guide-text.ts';
test('fill', async () => {
  for (const name of (process.env.GUIDES ?? '').split(' ')) {
    const from = readFileSync(`/tmp/w4/src/${name}`, 'utf8');
    const came = await runGuide(stepsOf(from));
    let out = from;
    for (const c of came) {
      const shown = c.step.kind === 'file' ? undefined : c.step.shown;
      const marks = (shown ?? []).filter((l) => l.startsWith('@@'));
      if (c.step.kind === 'command' && c.exit !== c.step.exit) console.log(name, c.step.line, c.step.argv.join(' '), 'EXIT', c.exit, c.output);
      if (c.exit !== 0 && c.step.kind !== 'command') console.log(name, c.step.line, c.output);
      for (const mark of marks) {
        const n = Number(mark.slice(3) || 1e9);
        const lines = c.output.trimEnd().split('\n').map((l) => l.trimEnd());
        const rest = lines.length - n;
        const text = [...lines.slice(0, n), ...(rest > 0 ? [`… ${rest} more lines`] : [])].join('\n')
          .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, '…').replace(/20[0-9-]{8}T[0-9:]{8}(\.\d+)?Z/g, '…').replace(/\b\d+(\.\d+)? (ms|s)\b/g, '… $2').replace(/\/tmp\/guide-\w+\//g, '');
        out = out.replace(new RegExp(`^${mark}$`, 'm'), () => text);
      }
    }
    const target = name === 'README.md' ? '/work/main/README.md' : `/work/main/docs/guide/${name}`;
    writeFileSync(target, out);
  }
}, 300000);
