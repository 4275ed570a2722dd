import type { DivergenceKind } from './kind.ts';

export const ignoreExpired: DivergenceKind = {
  code: 'SA501',
  name: 'ignore_expired',
  title: 'An entry under `ignore` is past its last day',
  summary: 'A finding was accepted with an entry under `ignore` until a day that has gone by. The entry no longer hides anything.',
  why:
    'Findings are accepted for a reason that holds for a time: until the producer has mended the feed, or until a campaign is over. ' +
    'Entries without an end stay for ever and hide the next fault of the same kind; an end that nobody is told of comes as a surprise.',
  consequence:
    'A warning, and what the entry has hidden counts again. Days are compared in UTC; the last day itself still counts as accepted. ' +
    'Nothing of the load changes, but `fail_on: warning` and `plan --check` notice it.',
  fix:
    'See whether the reason still holds. If it does, write a later day under `until`; if it does not, remove the entry and settle the ' +
    'finding that it has hidden.',
  example: {
    file: 'orders.csv',
    source: 'id,total,coupon\n1,9.50,\n2,12.00,SPRING\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, total DECIMAL(10,2));',
    rules: 'ignore: [{ code: SA102, column: coupon, reason: marketing only, until: 2020-12-31 }]',
    found: {
      path: 'coupon',
      reason: null,
      count: 1,
      says: 'the entry that accepts SA102 for coupon ended on 2020-12-31; coupon is reported as an extra column again',
    },
  },
};
