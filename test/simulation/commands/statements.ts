import * as fc from 'fast-check';
import { closeStatement } from '../../../services/transactions/src/statements/close-statements';
import { DAY_MS } from '../model/model';
import { close as closeInModel } from '../model/statements';
import { at, position, type Step } from './step';

/** Closes what a wholesaler is owed, up to now or up to some days ago. */
export const close: Step<{ wholesaler: number; days: number }> = {
  picks: fc.record({ wholesaler: position, days: fc.constantFrom(0, 0, 1, 8) }),
  plan: ({ system, model }, picked) => {
    const wholesaler = at([...model.wholesalers.keys()], picked.wholesaler);
    if (wholesaler === undefined) return undefined;
    const until = model.now - picked.days * DAY_MS;
    return {
      label: `close ${wholesaler} until ${new Date(until).toISOString()}`,
      run: async () => {
        const closed = await closeStatement(system.transactions, wholesaler, new Date(until));
        return { answer: closed?.number ?? null };
      },
      expect: (model) => closeInModel(model, wholesaler, until),
    };
  },
};
