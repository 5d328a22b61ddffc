import * as fc from 'fast-check';
import { query } from '@fiado/chassis/db/query';
import { ops, wholesaler as wholesalerCaller } from '@fiado/chassis/testing/callers';
import { approveCornerStore } from '../../../services/accounts/src/corner-stores/approve-corner-store';
import { PURPOSE } from '../../../services/accounts/src/db/purposes';
import { changePhone as changePhoneOf } from '../../../services/accounts/src/verification/change-phone';
import { clearPhoneHold as clearPhoneHoldOf } from '../../../services/accounts/src/corner-stores/clear-phone-hold';
import { rejectCornerStore } from '../../../services/accounts/src/corner-stores/reject-corner-store';
import { updateCornerStore } from '../../../services/accounts/src/corner-stores/update-corner-store';
import { updateWholesaler } from '../../../services/accounts/src/wholesalers/update-wholesaler';
import { settingsOf } from '../begin';
import { answerOf, publishVersion } from '../history';
import * as phones from '../model/change-phone';
import { found, newest, type Settings, type Zone } from '../model/model';
import type { System } from '../system/system';
import { anySettings, LIMITS_CENTS, RATES } from '../world';
import { at, position, type Step } from './step';

interface TermsPicks {
  store: number;
  limitCents: number;
  interestRate: string;
  /** Undefined: as it is. */
  timeZone: Zone | undefined;
}

/** ops sets a limit and a rate. */
export const changeTerms: Step<TermsPicks> = {
  picks: fc.record({
    store: position,
    limitCents: fc.constantFrom(...LIMITS_CENTS, 10_000, 200_000, 2_000_000, 0),
    interestRate: fc.constantFrom(...RATES),
    timeZone: fc.constantFrom(undefined, undefined, 'America/Cancun', 'America/Hermosillo'),
  }),
  plan: ({ system, model }, { store, limitCents, interestRate, timeZone }) => {
    const cornerStoreId = at([...model.stores.keys()], store) ?? '';
    const zone = timeZone === undefined ? {} : { timeZone };
    return {
      label: `set the terms of ${cornerStoreId}: ${limitCents}, ${interestRate}, ${timeZone}`,
      run: async () => {
        const terms = { creditLimitCents: limitCents, interestRate, ...zone };
        await updateCornerStore(system.accounts, { by: ops(), cornerStoreId, terms });
        return { answer: undefined };
      },
      expect: (model) => {
        const known = found(model.stores, cornerStoreId);
        const before = newest(known);
        const terms = { limitCents, interestRate, timeZone: timeZone ?? before.timeZone };
        const isChange =
          limitCents !== before.limitCents ||
          interestRate !== before.interestRate ||
          terms.timeZone !== before.timeZone;
        if (isChange) publishVersion(known, terms);
      },
    };
  },
};

/** ops approves a store, or rejects it, which takes its credit. */
export const decideStore: Step<{ store: number; approve: boolean }> = {
  picks: fc.record({
    store: position,
    approve: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
  }),
  plan: ({ system, model }, { store, approve }) => {
    const cornerStoreId = at([...model.stores.keys()], store) ?? '';
    const command = { by: ops(), cornerStoreId };
    return {
      label: `${approve ? 'approve' : 'reject'} ${cornerStoreId}`,
      run: async () => {
        if (approve) await approveCornerStore(system.accounts, command);
        else await rejectCornerStore(system.accounts, { ...command, reason: 'sin papeles' });
        return { answer: undefined };
      },
      expect: (model) => {
        const known = found(model.stores, cornerStoreId);
        if (!approve) publishVersion(known, { status: 'pre-approved', limitCents: 0 });
        else if (newest(known).status !== 'approved') publishVersion(known, { status: 'approved' });
      },
    };
  },
};

export const changeSettings: Step<{ wholesaler: number; settings: Settings }> = {
  picks: fc.record({ wholesaler: position, settings: anySettings }),
  plan: ({ system, model }, { wholesaler, settings }) => {
    const wholesalerId = at([...model.wholesalers.keys()], wholesaler) ?? '';
    return {
      label: `set the settings of ${wholesalerId}: ${JSON.stringify(settings)}`,
      run: async () => {
        const changes = settingsOf(settings);
        await updateWholesaler(system.accounts, { by: ops(), wholesalerId, changes });
        return { answer: undefined };
      },
      expect: (model) => publishVersion(found(model.wholesalers, wholesalerId), settings),
    };
  },
};

let numbers = 0;

/** A wholesaler changes the phone of one of its stores. */
export const changePhone: Step<{ wholesaler: number; store: number }> = {
  picks: fc.record({ wholesaler: position, store: position }),
  plan: ({ system, model }, { wholesaler, store }) => {
    const cornerStore = at([...model.stores.values()], store);
    if (cornerStore === undefined) return undefined;
    const wholesalerId = at(newest(cornerStore).customerOf, wholesaler) ?? '';
    numbers += 1;
    const phone = `+5255${String(20_000_000 + numbers)}`;
    const { sealer } = system.accounts;
    return {
      label: `${wholesalerId} changes the phone of ${cornerStore.id}`,
      run: () =>
        answerOf(async () => {
          const by = wholesalerCaller(wholesalerId);
          const userId = await userOf(system, cornerStore.id);
          await changePhoneOf(system.accounts, { by, userId, phone }, () => undefined);
          return { answer: 'changed' };
        }),
      expect: (model) =>
        phones.changePhone(model, wholesalerId, {
          storeId: cornerStore.id,
          phone: sealer.blindIndex(phone, PURPOSE.phone).toString('base64'),
        }),
    };
  },
};

async function userOf({ accounts }: System, cornerStoreId: string): Promise<string> {
  const [store] = await query<{ userId: string }>(
    accounts.db,
    'SELECT user_id FROM corner_stores WHERE id = $1',
    [cornerStoreId],
  );
  if (store === undefined) throw new Error(`No corner store ${cornerStoreId}`);
  return store.userId;
}

/** ops clears the hold of a changed phone. */
export const clearPhoneHold: Step<{ store: number }> = {
  picks: fc.record({ store: position }),
  plan: ({ system, model }, { store }) => {
    const cornerStoreId = at([...model.stores.keys()], store) ?? '';
    return {
      label: `clear the phone hold of ${cornerStoreId}`,
      run: async () => {
        await clearPhoneHoldOf(system.accounts, { by: ops(), cornerStoreId });
        return { answer: undefined };
      },
      expect: (model) => phones.clearPhoneHold(model, cornerStoreId),
    };
  },
};

/** accounts becomes unavailable, or available again. */
export const toggleAccounts: Step<undefined> = {
  picks: fc.constant(undefined),
  plan: ({ system, model: { accountsUp } }) => ({
    label: accountsUp ? 'accounts goes away' : 'accounts comes back',
    run: async () => {
      system.accountsUp = !accountsUp;
      return { answer: undefined };
    },
    expect: (model) => {
      model.accountsUp = !accountsUp;
    },
  }),
};
