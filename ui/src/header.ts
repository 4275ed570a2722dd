import { formatCount } from '../../src/core/record/numbers.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { formatDuration } from '../../src/reports/measures.ts';
import { type Figure, figuresOf, verdictOf } from '../../src/reports/summary.ts';
import { atLength, briefly, h } from './dom.ts';

const toneMarks = { good: '✓', warn: '!', bad: '✗', idle: '·' } as const;

const explained: Record<Figure['label'], string> = {
  read: 'records in the source',
  loaded: 'rows the target holds',
  quarantined: 'records set aside',
  superseded: 'rows lost to a later one of their key',
  altered: 'values changed by a rule',
  nulled: 'values made NULL by a rule',
};

/** The verdict, what went where, and the six numbers. */
export function headerOf(record: RunRecord): HTMLElement {
  const verdict = verdictOf(record);
  const plan = record.verb === 'plan';
  return h(
    'header',
    { class: `head tone-${verdict.tone}` },
    h(
      'div',
      { class: 'brand' },
      h('span', { class: 'logo', 'aria-hidden': 'true' }),
      'Schemalign',
      h('span', { class: 'muted' }, `${record.verb} report`),
    ),
    h(
      'div',
      { class: 'verdict' },
      h(
        'h1',
        {},
        h('span', { class: 'badge' }, h('span', { 'aria-hidden': 'true' }, `${toneMarks[verdict.tone]} `), verdict.word),
        briefly(record.job),
      ),
      h('p', { class: 'sentence' }, atLength(verdict.sentence)),
      record.fault === null ? null : h('p', { class: 'fault' }, h('code', {}, briefly(record.fault.code)), ' ', atLength(record.fault.fix)),
      h(
        'p',
        { class: 'route' },
        h('code', {}, briefly(record.source.description)),
        ' → ',
        h('code', {}, briefly(record.target.table)),
        h('span', { class: 'muted' }, ' ', briefly(whenAndHow(record))),
      ),
    ),
    h(
      'dl',
      { class: 'figures', 'aria-label': 'The six numbers' },
      figuresOf(record).map((figure) => figureTile(figure, plan)),
    ),
  );
}

function figureTile({ label, count }: Figure, plan: boolean): HTMLElement {
  const zero = Number(count) === 0 ? ' zero' : '';
  return h(
    'div',
    { class: `figure ${label}${zero}`, title: explained[label] },
    h('dt', {}, plan && label !== 'read' ? `would be ${label}` : label),
    h('dd', {}, formatCount(count)),
  );
}

function whenAndHow(record: RunRecord): string {
  const total = record.phases.reduce((sum, phase) => sum + phase.ms, 0);
  const when = record.started_at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
  return [record.mode, record.target.engine, when, ...(total > 0 ? [formatDuration(total)] : [])].join(' · ');
}
