import { describe, expect, it } from 'vitest';
import { Fault, faults } from '../fault.ts';
import { catalogue } from './catalogue.ts';
import { explainText } from './explain.ts';
import { reasons } from './reasons.ts';

describe('explainText', () => {
  it('tells of a kind in words, with the line of configuration and an example', () => {
    const page = explainText('sa303');
    expect(page.split('\n').slice(0, 2)).toEqual(['SA303 duplicate_key', 'Several source rows have the same key']);
    const headings = ['What it is', 'Why it matters', 'What happens', 'What to do', 'Example'];
    expect(page.split('\n').filter((line) => headings.includes(line))).toEqual(headings);
    expect(page).toContain('    merge: { on_duplicate_key: keep_latest, order_by: COLUMN }');
    expect(page).toContain('    1,11,2024-01-03');
  });

  it('tells of a fault: exit code, whether to try again, what to do', () => {
    expect(explainText('GUARD_SHRINK')).toBe(
      [
        'GUARD_SHRINK',
        'The load would shrink the target more than allowed',
        '',
        'What happens',
        '  The command stops with exit code 3 (refused for safety). The same command will fail', // 88 columns
        '  again until the cause is mended.',
        '',
        'What to do',
        '  Raise `max_shrink` if the loss is intended.',
      ].join('\n'),
    );
    expect(explainText('engine_locked')).toContain('may succeed when it is run again');
  });

  it('tells of a reason', () => {
    expect(explainText('exponent').split('\n')).toContain('    exponent: true');
    expect(explainText('truncated_file')).toContain('No configuration settles this');
  });

  it('prefers the divergence where a fault has the same name', () => {
    expect(explainText('NULL_BUDGET')).toContain('SA205');
  });

  it('has a page of prose within 100 columns for everything that has a name', () => {
    const prose = [...catalogue.map((kind) => kind.code), ...Object.keys(reasons), ...Object.keys(faults)];
    for (const name of prose) {
      const page = explainText(name);
      expect(page, name).not.toMatch(/: undefined|\n\n\n/);
      for (const line of page.split('\n').filter((text) => !text.startsWith('    '))) expect(line.length, line).toBeLessThanOrEqual(100);
    }
  });

  it.each([
    ['SA20l', /SA201/],
    ['invalid_values', /invalid_value/],
    ['constructor', /SA101 to SA501/],
    ['__proto__', /SA101 to SA501/],
    ['', /SA101 to SA501/],
  ])('refuses %s and says what comes close', (name, near) => {
    const thrown = (() => {
      try {
        explainText(name);
        return undefined;
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(Fault);
    expect((thrown as Fault).code).toBe('NOT_FOUND');
    expect((thrown as Fault).fix).toMatch(near);
  });
});
