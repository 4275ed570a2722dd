/** docs/guide/postgres.md: its files, statements, commands with their exits, and rows, on a real server. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wordsOf } from '../../docs/guide-text.ts';
import { makeScene, type Scene } from './database.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await makeScene();
}, 60_000);
afterAll(() => scene.end());

const guide = readFileSync(new URL('../../../docs/guide/postgres.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/(?:^<!-- file: (.+?) -->\n)?^```(\w+)\n(.*?)^```$/gms)].map(([, file, language = '', text = '']) => ({
  file,
  language,
  text: text.trimEnd(),
}));

async function commands(text: string): Promise<void> {
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith('schemalign ')) continue;
    const args = wordsOf(line)
      .slice(1)
      .map((word) => word.replace('postgres://etl@db.example/shop', scene.url));
    const ran = await scene.place.run(...args);
    expect(`# exit ${ran.exit}`, `${line}\n${ran.stdout}${ran.stderr}`).toBe(/^# exit \d/.exec(lines[i + 1] ?? '')?.[0]);
  }
}

it('says what comes', async () => {
  let rows: readonly (readonly (string | null)[])[] = [];
  for (const { file, language, text } of blocks) {
    if (file !== undefined) scene.place.write(file, `${text}\n`);
    else if (language === 'sh') await commands(text);
    else if (language === 'sql' && text.startsWith('SELECT')) rows = await scene.rows(text);
    else if (language === 'sql') await scene.change(text);
    else if (language === 'text') expect(rows.map((row) => row.join(' | '))).toEqual(text.split('\n'));
  }
  expect(blocks.filter(({ language }) => language === 'sh')).toHaveLength(3);
});
