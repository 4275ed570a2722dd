import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanRecord } from '../../test/fixtures/records.ts';
import { isReportFormat, reportFormats } from './format-names.ts';
import { renderReport, reports } from './registry.ts';

describe('the report formats', () => {
  it('each have a file of their name', () => {
    const files = readdirSync(new URL('.', import.meta.url));
    for (const format of reportFormats) expect(files).toContain(`${format}.ts`);
  });

  it.each(reportFormats)('%s ends with a line end and has an extension and a media type', async (format) => {
    expect(await renderReport(format, cleanRecord(), { color: false, width: 80 })).toMatch(/\S\n$/);
    expect(reports[format].extension).toMatch(/^[a-z]+$/);
    expect(reports[format].mediaType).toMatch(/^[a-z]+\/[a-z+]+$/);
  });

  it.each(['pdf', '', 'constructor', '__proto__', 'TEXT'])('refuses %s', (format) => {
    expect(isReportFormat(format)).toBe(false);
    expect(() => renderReport(format, cleanRecord(), { color: false, width: 80 })).toThrow(/^\[USAGE\] there is no report format/);
  });
});
