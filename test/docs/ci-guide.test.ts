/** The workflows of docs/guide/ci.md: YAML that parses, with command lines that this version takes and files that are made before they are used. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reportFormats } from '../../src/reports/format-names.ts';

const guide = readFileSync(new URL('../../docs/guide/ci.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
const workflow = blocks.find((text) => text.startsWith('name: schemalign')) ?? '';
const pipeline = blocks.find((text) => text.startsWith('schemalign:\n  image')) ?? '';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** Formats and files of the command line of `check`. */
function reportsOf(command: string): ReadonlyMap<string, string> {
  expect(command).toMatch(/^npx schemalign check(?: --report \w+=\S+)+$/);
  return new Map([...command.matchAll(/--report (\w+)=(\S+)/g)].map(([, format = '', file = '']) => [format, file]));
}

describe('the workflow of GitHub', () => {
  const document = parse(workflow) as { permissions: Record<string, string>; jobs: { check: { steps: readonly Step[] } } };
  const { steps } = document.jobs.check;
  const check = steps.find(({ run }) => run?.includes('schemalign check'));

  it('makes reports in formats that exist, and uses the files that it makes', () => {
    const reports = reportsOf(check?.run ?? '');
    for (const format of reports.keys()) expect(reportFormats).toContain(format);
    expect(steps.find(({ uses }) => uses?.startsWith('github/codeql-action/upload-sarif'))?.with).toMatchObject({
      sarif_file: reports.get('sarif'),
    });
    for (const { run } of steps.filter((step) => step.run?.includes('.md'))) {
      if (run !== check?.run) expect(run).toContain(reports.get('markdown'));
    }
    expect(reports.get('github')).toBe('-');
  });

  it('asks for the permissions that its steps need and no others', () => {
    expect(document.permissions).toEqual({ contents: 'read', actions: 'read', 'security-events': 'write', 'pull-requests': 'write' });
  });
});

describe('the pipeline of GitLab', () => {
  const { schemalign } = parse(pipeline) as {
    schemalign: { script: readonly string[]; artifacts: { paths: readonly string[]; reports: Record<string, string> } };
  };

  it('hands over the reports that it makes', () => {
    const reports = reportsOf(schemalign.script.at(-1) ?? '');
    expect(schemalign.artifacts.reports).toEqual({ codequality: reports.get('gitlab'), junit: reports.get('junit') });
    expect(schemalign.artifacts.paths).toEqual([reports.get('markdown')]);
  });
});

it('the guide tells of every format', () => {
  for (const format of reportFormats) expect(guide).toContain(`| \`${format}\` |`);
});
