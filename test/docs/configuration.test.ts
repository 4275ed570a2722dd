import { expect, test } from 'vitest';
import { configurationReference } from '../../src/config/reference.ts';

test('docs/reference/configuration.md says what the tables say', async () => {
  await expect(configurationReference()).toMatchFileSnapshot('../../docs/reference/configuration.md');
});
