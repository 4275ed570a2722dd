import { Fault } from '../../../core/fault.ts';
import type { Cell, Row } from './spark-client.ts';
import type { ExecuteResponse, Literal } from './messages.ts';
import { dateText, momentText } from './moment-text.ts';
import { countsName } from './plans.ts';

/** What was counted while rows were stored. The order of the keys is the server's. */
export function readCounts({ observedMetrics }: ExecuteResponse): Row {
  const counted = observedMetrics.filter(({ name }) => name === countsName);
  return Object.fromEntries(counted.flatMap(({ keys, values }) => keys.map((key, i) => [key, cellOf(values[i])])));
}

function cellOf(literal: Literal | undefined): Cell {
  const one = literal?.literalType;
  switch (one?.case) {
    case undefined:
    case 'null':
      return null;
    case 'boolean':
    case 'string':
    case 'byte':
    case 'short':
    case 'integer':
      return one.value;
    case 'long':
      return one.value.toString();
    case 'float':
    case 'double':
      return Number.isFinite(one.value) ? one.value : String(one.value);
    case 'decimal':
      return one.value.value;
    case 'date':
      return dateText(one.value);
    case 'timestamp':
      return `${momentText(one.value)}+00`;
    case 'timestampNtz':
      return momentText(one.value);
    case 'binary':
      return Buffer.from(one.value).toString('hex').toUpperCase();
    default:
      throw new Fault('BUG', 'only single values can be counted while rows are stored');
  }
}
