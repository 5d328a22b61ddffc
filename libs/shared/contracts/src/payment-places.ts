/** A place where stores pay, in the lender's own words. */
export interface PaymentPlace {
  /** `OXXO`. Short, because the SMS about a debt names it. */
  name: string;
  /** `En la caja`; empty when there is nothing to add. */
  how: string;
  /** The agreement or account with its kind: `Convenio 12345`; empty where the reference is enough. */
  account: string;
}

const MAX_PLACES = 5;
const MAX_NAME_LENGTH = 20;
const MAX_PART_LENGTH = 60;

/** Form of the setting, for the message about a bad one. */
export const PLACES_FORM =
  `must be at most ${MAX_PLACES} places with ; between them, each "name | how | account or agreement" ` +
  `with a name of at most ${MAX_NAME_LENGTH} characters and other parts of at most ${MAX_PART_LENGTH}`;

/** Reads the setting; undefined when it is malformed. */
export function paymentPlacesOf(setting: string): PaymentPlace[] | undefined {
  const places = setting.split(';').map((place) => place.split('|').map((part) => part.trim()));
  const areValid =
    places.length <= MAX_PLACES &&
    places.every(
      ([name = '', ...others]) =>
        /\p{L}/u.test(name) &&
        name.length <= MAX_NAME_LENGTH &&
        others.length <= 2 &&
        others.every((part) => part.length <= MAX_PART_LENGTH && !/\p{Cc}/u.test(part)),
    );
  if (!areValid) return undefined;
  return places.map(([name = '', how = '', account = '']) => ({ name, how, account }));
}
