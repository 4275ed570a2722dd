/** A registry names what its folder holds: a forgotten line is red. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { engines } from '../../src/engines/registry.ts';
import { reportFormats } from '../../src/reports/format-names.ts';
import { reports } from '../../src/reports/registry.ts';

test('every engine folder has a line in the registry', () => {
  const folders = readdirSync('src/engines', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(Object.keys(engines).sort()).toEqual(folders.sort());
});

test('every report format has a file of its name', () => {
  const files = readdirSync('src/reports');
  for (const format of reportFormats) expect(files).toContain(`${format}.ts`);
  expect(Object.keys(reports)).toEqual([...reportFormats]);
});
