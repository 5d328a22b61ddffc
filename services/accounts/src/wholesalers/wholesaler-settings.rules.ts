import type { PhoneChangeHold, WholesalerSnapshot } from '@fiado/contracts/corner-store';

/** The settings of a wholesaler. */
export type WholesalerSettings = Required<Omit<WholesalerSnapshot, 'wholesalerId' | 'name'>>;

/** Problems of contradictory settings, one text for each. */
export function settingsProblems({
  deliveryWordEnabled,
  deliveryWordRequired,
}: Pick<WholesalerSettings, 'deliveryWordEnabled' | 'deliveryWordRequired'>): string[] {
  return deliveryWordRequired && !deliveryWordEnabled
    ? ['deliveryWordRequired must be false while deliveryWordEnabled is false']
    : [];
}

/** The default settings of a wholesaler. */
export const DEFAULT_SETTINGS: WholesalerSettings = {
  minimumTransactionCents: 10_000,
  commissionRate: '0.02',
  paymentTermDays: 14,
  deliveryWordEnabled: true,
  deliveryWordRequired: false,
  confirmationRequired: true,
  deliveryOverageRate: '0.10',
  smsToUnknownPerDay: null,
  phoneChangeHold: 'shared',
  batchEnabled: true,
  batchItemsPerDay: 0,
  batchCentsPerDay: 0,
  holdUnprovenDays: 0,
  settlementEvery: 'weekly',
};

/** From the strictest on. */
const HOLDS: PhoneChangeHold[] = ['always', 'shared', 'never'];

type IsLooser = {
  [Setting in keyof WholesalerSettings]?: (
    value: WholesalerSettings[Setting],
    before: WholesalerSettings[Setting],
  ) => boolean;
};

/**
 * Settings that stand between a wholesaler and a store's line, or the lender's money, and whether a value guards it
 * less than the one before. All others are a matter of taste.
 */
const IS_LOOSER: IsLooser = {
  commissionRate: (value, before) => Number(value) < Number(before),
  deliveryOverageRate: (value, before) => Number(value) > Number(before),
  confirmationRequired: isSwitchedOff,
  deliveryWordEnabled: isSwitchedOff,
  deliveryWordRequired: isSwitchedOff,
  batchEnabled: (value, before) => isSwitchedOff(before, value),
  batchItemsPerDay: isHigherLimit,
  batchCentsPerDay: isHigherLimit,
  holdUnprovenDays: (value, before) => value < before,
  phoneChangeHold: (value, before) => HOLDS.indexOf(value) > HOLDS.indexOf(before),
};

/** The changed settings that guard stores or money less than before; see CHANGE_KINDS. */
export function looserSettings(
  before: WholesalerSettings,
  changes: Partial<WholesalerSettings>,
): Array<keyof WholesalerSettings> {
  const settings = Object.keys(IS_LOOSER) as Array<keyof WholesalerSettings>;
  return settings.filter((setting) => {
    const isLooser = IS_LOOSER[setting] as
      | ((value: unknown, before: unknown) => boolean)
      | undefined;
    return setting in changes && isLooser?.(changes[setting], before[setting]) === true;
  });
}

function isSwitchedOff(value: boolean, before: boolean): boolean {
  return before && !value;
}

/** Compares limits of a day, where 0 is no limit. */
function isHigherLimit(value: number, before: number): boolean {
  return (value || Infinity) > (before || Infinity);
}
