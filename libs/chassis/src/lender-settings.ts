import { isURL } from 'class-validator';
import { Obeys } from '@fiado/contracts/decorators';

/** What pages and SMS show in a sandbox. Production must set its own. */
export const SANDBOX_LENDER = {
  LENDER_NAME: 'Financiera de Prueba',
  SUPPORT_PHONE: '+525555550100',
  PRIVACY_URL: 'https://example.com/aviso-de-privacidad',
};

const MAX_NAME_LENGTH = 60;
const DIALLED = /^\+?\d[\d ]{2,19}$/;

/** Decorator: the lender's name, as corner stores know it. */
export function IsLenderName(): PropertyDecorator {
  return IsSetInProduction(SANDBOX_LENDER.LENDER_NAME, (value) =>
    /\p{L}/u.test(value) && value.length <= MAX_NAME_LENGTH
      ? undefined
      : `must be a name of at most ${MAX_NAME_LENGTH} characters`,
  );
}

/** Decorator: the lender's telephone for corner stores, as people dial it. */
export function IsSupportPhone(): PropertyDecorator {
  return IsSetInProduction(SANDBOX_LENDER.SUPPORT_PHONE, (value) =>
    DIALLED.test(value) ? undefined : 'must be a phone number such as 55 1234 5678',
  );
}

/** Decorator: the address of the lender's privacy notice. */
export function IsPrivacyUrl(): PropertyDecorator {
  return IsSetInProduction(SANDBOX_LENDER.PRIVACY_URL, (value) =>
    isURL(value, { protocols: ['https'], require_protocol: true })
      ? undefined
      : 'must be a URL that begins with https',
  );
}

function IsSetInProduction(
  sandboxValue: string,
  problemOf: (value: string) => string | undefined,
): PropertyDecorator {
  return Obeys((value: unknown, { FIADO_MODE }: { FIADO_MODE?: unknown }) => {
    if (FIADO_MODE === 'production' && (value === undefined || value === sandboxValue)) {
      return 'is required in production';
    }
    if (value === undefined) return undefined;
    return typeof value === 'string' ? problemOf(value) : 'must be a text';
  });
}
