import { explainText } from '../../core/divergences/explain.ts';
import type { Verb } from '../verb.ts';

const examples = `
  $ schemalign explain SA201
  $ schemalign explain invalid_value
  $ schemalign explain GUARD_SHRINK
`;

export const explain: Verb = {
  examples,
  describe: (command) => {
    command.usage('CODE').argument('<CODE>', 'code or name of a divergence, a reason or a fault');
  },
  run: async (operands, _options, io) => {
    io.stdout.write(`${explainText(operands[0] ?? '')}\n`);
    return 0;
  },
};
