/**
 * Whole reports of a record in which every kind of divergence is found once. The files are read by eye when they change; what CI systems
 * rely on is asserted beside them, from the formats' own rules.
 */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Log } from 'sarif';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/core/divergences/catalogue.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import type { ReportFormat } from '../../src/reports/format-names.ts';
import { renderReport, renderReports } from '../../src/reports/registry.ts';
import { everyKindRecord } from '../fixtures/every-kind.ts';
import { cleanRecord, example, failedRecord, finding, hostile, planRecord, refusedRecord, sampleRecord } from '../fixtures/records.ts';
import { parseXml } from './parse-xml.ts';

const page = { color: false, width: 100 };
type TextFormat = Exclude<ReportFormat, 'html'>;
const render = (format: TextFormat, record: RunRecord = everyKindRecord()): string => renderReport(format, record, page);

const files: readonly (readonly [TextFormat, string])[] = [
  ['junit', 'xml'],
  ['sarif', 'sarif'],
  ['github', 'github.txt'],
  ['gitlab', 'gitlab.json'],
  ['text', 'txt'],
  ['markdown', 'md'],
];

/** Names and values that end elements, commands, tables or lines where they are not escaped. */
function hostileRecord(): RunRecord {
  const attacks = [
    ...Object.values(hostile),
    ']]>',
    '::error::owned',
    '\n::error file=a::owned',
    '##[error]owned',
    '%0A::error::owned',
    '`tick`|pipe|',
    '\u0000\u0001\u001b[31m\ud800',
    '[link](http://example.org) {0} {{1}}',
    '" onload="alert(1)',
  ];
  return {
    ...everyKindRecord(),
    job: `${attacks[8]}${hostile.script}`,
    findings: attacks.map((attack, i) =>
      finding('SA201', 'invalid_value', (['error', 'warning', 'remark'] as const)[i % 3] ?? 'error', {
        path: attack,
        reason: attack,
        expected: attack,
        actual: attack,
        consequence: attack,
        files: [attack],
        examples: [example(attack, attack, 1, 2)],
        fix: { pointer: attack, yaml: attack },
        config: i % 2 === 0 ? null : { file: attack, line: 3, column: 1 },
        ignored: i === 1 || i === 6 ? { reason: attack, until: attack } : null,
      }),
    ),
    fault: { code: 'BUG', message: attacks.join(' '), fix: attacks.join(' ') },
  };
}

describe('reports of every kind of divergence', () => {
  it.each(files)('%s', async (format, extension) => {
    await expect(render(format)).toMatchFileSnapshot(`golden/every-kind.${extension}`);
  });
});

describe('JUnit', () => {
  it('has a case for the run, for each finding and for each column that has none', () => {
    const [suite] = parseXml(render('junit')).children;
    const cases = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    // The run, 25 kinds, and the columns id and note; some findings are on id.
    const onColumns = new Set(everyKindRecord().findings.map(({ path }) => path));
    const fitting = ['id', 'note'].filter((path) => !onColumns.has(path)).length;
    expect(cases).toHaveLength(1 + catalogue.length + fitting);
    expect(new Set(cases.map(({ attributes }) => `${attributes.classname} ${attributes.name}`)).size).toBe(cases.length);
  });

  it('counts as its attributes what its elements are', () => {
    for (const record of [
      everyKindRecord(),
      sampleRecord(),
      cleanRecord(),
      failedRecord(),
      refusedRecord(),
      planRecord(),
      hostileRecord(),
    ]) {
      const root = parseXml(render('junit', record));
      const [suite] = root.children;
      const count = (name: string) => suite?.children.filter(({ children }) => children.some((child) => child.name === name)).length;
      const cases = suite?.children.filter(({ name }) => name === 'testcase').length;
      for (const { attributes } of [root, suite ?? root]) {
        expect(attributes.tests).toBe(String(cases));
        expect(attributes.failures).toBe(String(count('failure')));
        expect(attributes.errors).toBe(String(count('error')));
        expect(attributes.skipped).toBe(String(count('skipped')));
      }
    }
  });

  it('fails for errors alone, skips what is ignored, and fails for warnings where these make the exit code', () => {
    const failures = (record: RunRecord) => parseXml(render('junit', record)).attributes.failures;
    const errors = everyKindRecord().findings.filter(({ severity }) => severity === 'error').length;
    expect(failures(everyKindRecord())).toBe(String(errors));
    expect(parseXml(render('junit')).attributes.skipped).toBe('1');
    expect(failures(sampleRecord())).toBe('0');
    const warnings = sampleRecord().findings.filter(({ severity, ignored }) => severity === 'warning' && ignored === null).length;
    expect(failures({ ...sampleRecord(), exit: 1 })).toBe(String(warnings));
  });

  it('tells of a fault as an error of the run', () => {
    const [suite] = parseXml(render('junit', refusedRecord())).children;
    const run = suite?.children.find(({ name }) => name === 'testcase');
    expect(run?.children.map(({ name, attributes }) => [name, attributes.type])).toEqual([['error', 'GUARD_SHRINK']]);
  });

  it('of several jobs has a suite each, and their sums', () => {
    const root = parseXml(renderReports('junit', [everyKindRecord(), cleanRecord(), refusedRecord()], page));
    expect(root.children.map(({ attributes }) => attributes.name)).toEqual(['every', 'sites', 'orders']);
    expect(Number(root.attributes.tests)).toBe(root.children.reduce((sum, { attributes }) => sum + Number(attributes.tests), 0));
  });

  it('is well-formed whatever names and values are', () => {
    const root = parseXml(render('junit', hostileRecord()));
    const texts = JSON.stringify(root);
    expect(texts).toContain('alert(1)');
    // Characters that XML 1.0 has no way to write.
    expect(render('junit', hostileRecord())).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });
});

describe('SARIF', () => {
  const log = (record: RunRecord = everyKindRecord()): Log => JSON.parse(render('sarif', record)) as Log;
  const results = (record?: RunRecord) => log(record).runs[0]?.results ?? [];

  /** The schema of the standard. It is written for draft 4, and none of its keywords means anything else since. */
  const schema = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
  ) as Record<string, unknown>;
  const { $schema: _, id: __, ...body } = schema;
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false }).compile(body);

  it.each(
    Object.entries({
      every: everyKindRecord(),
      sample: sampleRecord(),
      clean: cleanRecord(),
      failed: failedRecord(),
      refused: refusedRecord(),
      plan: planRecord(),
      hostile: hostileRecord(),
    }),
  )('of %s is valid by the schema of 2.1.0', (_name, record) => {
    validate(log(record));
    expect(validate.errors).toBeNull();
    validate(JSON.parse(renderReports('sarif', [record, cleanRecord()], page)));
    expect(validate.errors).toBeNull();
  });

  it('is refused by that schema when it is wrong, so that the check above means something', () => {
    expect(validate({ ...log(), version: '2.0.0' })).toBe(false);
    expect(validate({ ...log(), runs: [{ ...log().runs[0], results: [{ level: 'fatal' }] }] })).toBe(false);
  });

  it('has one rule for each code found, with the address of its page', () => {
    const rules = log().runs[0]?.tool.driver.rules ?? [];
    expect(rules.map(({ id }) => id)).toEqual(catalogue.map(({ code }) => code));
    for (const { id, helpUri } of rules) {
      expect(new URL(helpUri ?? '').pathname.endsWith(`/docs/reference/divergences/${id}.md`)).toBe(true);
    }
    for (const result of results()) expect(rules[result.ruleIndex ?? -1]?.id).toBe(result.ruleId);
  });

  it('points at the line of configuration, and at the line of the data beside it', () => {
    const result = results().find(({ ruleId }) => ruleId === 'SA303');
    const at = catalogue.findIndex(({ code }) => code === 'SA303');
    expect(result?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'schemalign.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 10 + at, startColumn: 5 },
    });
    expect(result?.relatedLocations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'amounts.csv', uriBaseId: '%SRCROOT%' },
      region: { startLine: at + 2 },
    });
  });

  it('points at the data where a job has no configuration', () => {
    const [first] = results({ ...failedRecord(), findings: failedRecord().findings.slice(0, 1) });
    expect(first?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'in/orders-2026-09-02.csv.gz', uriBaseId: '%SRCROOT%' },
      region: { startLine: 2 },
    });
  });

  it('has the levels of the standard, and suppresses what is ignored', () => {
    const levels = Object.fromEntries(results().map(({ ruleId, level }) => [ruleId, level]));
    expect([levels.SA303, levels.SA501, levels.SA106]).toEqual(['error', 'warning', 'note']);
    expect(results().filter(({ suppressions }) => suppressions !== undefined)).toMatchObject([
      { ruleId: 'SA102', suppressions: [{ kind: 'external', justification: 'marketing only' }] },
    ]);
  });

  it('tells of a fault as a notification, and that the tool did not succeed', () => {
    const [invocation] = log(refusedRecord()).runs[0]?.invocations ?? [];
    expect(invocation?.executionSuccessful).toBe(false);
    expect(invocation?.toolExecutionNotifications?.[0]).toMatchObject({ level: 'error', descriptor: { id: 'GUARD_SHRINK' } });
    expect(log().runs[0]?.invocations?.[0]?.executionSuccessful).toBe(true);
  });

  it('has no links or placeholders in its texts that come from data, and only addresses that are such', () => {
    for (const { message, locations, relatedLocations } of results(hostileRecord())) {
      // Brackets are escaped, braces come in twos: sections 3.11.5 and 3.11.6 of the standard.
      expect(message.text?.replace(/\\[\\[\]]/g, '')).not.toMatch(/[[\]]/);
      expect(message.text?.replace(/\{\{|\}\}/g, '')).not.toMatch(/[{}]/);
      for (const { physicalLocation } of [...(locations ?? []), ...(relatedLocations ?? [])]) {
        const uri = physicalLocation?.artifactLocation?.uri ?? '';
        expect(() => new URL(uri, 'file:///root/')).not.toThrow();
        expect(uri).toMatch(/^[A-Za-z0-9%._~!$&'()*+,;=:@/-]+$/);
      }
    }
  });
});

describe('GitHub annotations', () => {
  it('are one command a line, each with a place and a title, errors first', () => {
    const lines = render('github').trimEnd().split('\n');
    const kinds = lines.map((line) => /^::(error|warning|notice) file=[^,:]+,line=\d+,col=\d+,title=[^,:]+::\S/.exec(line)?.[1]);
    const active = everyKindRecord().findings.filter(({ ignored }) => ignored === null);
    expect(kinds.filter((kind) => kind !== undefined)).toHaveLength(active.length);
    const ranks = kinds.slice(0, -1).map((kind) => ['error', 'warning', 'notice'].indexOf(kind ?? ''));
    expect(ranks).toEqual([...ranks].sort());
    expect(lines.at(-1)).toMatch(/^schemalign FAILED every: .*, 1 ignored$/);
  });

  it('obey nothing of the data: every line is a command of ours or the last one', () => {
    const lines = render('github', hostileRecord()).trimEnd().split('\n');
    const active = hostileRecord().findings.filter(({ ignored }) => ignored === null).length;
    expect(lines).toHaveLength(1 + active + 1);
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^::(?:error|warning|notice) file=[^,:]*(?:,line=\d+)?(?:,col=\d+)?,title=[^,:]*::/);
    expect(lines.at(-1)).not.toMatch(/^\s*::|##\[/);
    expect(render('github', hostileRecord())).not.toMatch(/[\r\u0000\u001b]/);
    // A percent sign of the data is escaped, so that it cannot stand for a line end.
    expect(render('github', hostileRecord())).toContain('%250A%3A%3Aerror');
  });

  it('of columns with the same fault are one', () => {
    const same = Array.from({ length: 300 }, (_, i) => finding('SA201', 'invalid_value', 'error', { path: `m${i}`, outcome: 'failed' }));
    const lines = render('github', { ...failedRecord(), findings: same })
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('::300 columns: m0, m1, ');
  });
});

describe('GitLab code quality', () => {
  interface Issue {
    readonly fingerprint: string;
    readonly severity: string;
    readonly check_name: string;
    readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
  }
  const issues = (record: RunRecord) => JSON.parse(render('gitlab', record)) as Issue[];

  it('has what GitLab asks for, with fingerprints of their own', () => {
    for (const record of [everyKindRecord(), sampleRecord(), failedRecord(), refusedRecord(), hostileRecord()]) {
      const found = issues(record);
      for (const issue of found) {
        expect(Object.keys(issue).sort()).toEqual(['check_name', 'description', 'fingerprint', 'location', 'severity']);
        expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(issue.severity);
        expect(issue.location.lines.begin).toBeGreaterThan(0);
        expect(issue.location.path).not.toMatch(/^\.\//);
      }
      expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length);
    }
    expect(issues(cleanRecord())).toEqual([]);
  });

  it('ranks an error above a warning above a remark, and a fault above all', () => {
    const severities = Object.fromEntries(issues(everyKindRecord()).map(({ check_name, severity }) => [check_name, severity]));
    expect([severities.SA303, severities.SA501, severities.SA106]).toEqual(['critical', 'minor', 'info']);
    expect(issues(refusedRecord())[0]).toMatchObject({ check_name: 'GUARD_SHRINK', severity: 'blocker' });
  });
});

describe('one report of several jobs', () => {
  const records = [cleanRecord(), sampleRecord(), everyKindRecord(), refusedRecord()];

  it('in text and Markdown begins with a line for each job, the worst first', () => {
    const text = renderReports('text', records, page).split('\n');
    expect(text.slice(0, 6)).toEqual([
      '✗ CHECK',
      '  4 jobs: 2 would fail, 1 would load with warnings, 1 would load. Nothing was written.',
      '  ✗  orders  exit 3  12,480 read  GUARD_SHRINK',
      expect.stringMatching(/^ {2}✗ {2}every {3}exit 1 {2}12,480 read {2}\d+ errors, /),
      expect.stringMatching(/^ {2}! {2}orders {2}exit 0 {2}12,480 read {2}13 warnings/),
      '  ✓  sites   exit 0       3 read  no findings',
    ]);
    const rows = renderReports('markdown', records, page)
      .split('\n')
      .filter((line) => /^\| [❌⚠✅]/u.test(line));
    expect(rows.slice(0, 4).map((row) => /<code>(\w+)<\/code>/.exec(row)?.[1])).toEqual(['orders', 'every', 'orders', 'sites']);
  });

  it('in HTML there is none', () => {
    expect(() => renderReports('html', records, page)).toThrow(/^\[USAGE\] a report in the format html holds one run/);
  });
});
