import { catalogue, httpStatusOfKind, type CatalogueRow, type ErrorKind } from './error-catalogue';

export type ErrorCode = keyof typeof catalogue;

export interface AppErrorDetails extends ErrorOptions {
  /** Replaces the catalogue's text where the spec wants more in it, such as an id. */
  message?: string | undefined;
  /** Seconds after which the call may be repeated; becomes the Retry-After header. */
  retryAfterSeconds?: number;
  /**
   * The key of a refused credential; only accounts sends it, to the gateway.
   */
  keyId?: string | undefined;
  /** Fields of the answer beyond its code and message. */
  fields?: Readonly<Record<string, string | number>>;
  /** Amounts that explain the refusal to the lender's people: kept with it, never answered. */
  amounts?: RefusedAmounts;
}

/** The amount of an order, with the free credit of its line or the smallest order of its wholesaler, in pesos. */
export interface RefusedAmounts {
  askedAmount: number;
  availableAmount?: number;
  minimumAmount?: number;
}

/** An error with a code of the catalogue: what use cases throw and clients of services rebuild. */
export class AppError extends Error {
  readonly retryAfterSeconds: number | undefined;
  readonly keyId: string | undefined;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly amounts: RefusedAmounts | undefined;

  constructor(
    readonly code: ErrorCode,
    { message, retryAfterSeconds, keyId, fields = {}, amounts, ...options }: AppErrorDetails = {},
  ) {
    super(message ?? catalogue[code].title, options);
    this.name = 'AppError';
    this.retryAfterSeconds = retryAfterSeconds;
    this.keyId = keyId;
    this.fields = fields;
    this.amounts = amounts;
  }

  get kind(): ErrorKind {
    return catalogue[this.code].kind;
  }

  get status(): number {
    const row: CatalogueRow = catalogue[this.code];
    return row.status ?? httpStatusOfKind[row.kind];
  }
}

/**
 * A body, query or payload that fails its DTO: one text for each problem, with the field's path.
 */
export class ValidationError extends Error {
  readonly status = 400;

  constructor(readonly problems: string[]) {
    super('Bad Request');
    this.name = 'ValidationError';
  }
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(catalogue, code);
}

/** How an error body looks. */
export type ErrorShape = (error: AppError) => object;

export const defaultErrorShape: ErrorShape = ({ code, message, fields }) => ({
  errorCode: code,
  errorMessage: message,
  ...fields,
});

/** The shape of `resendAccountCode`. */
export const codeAndMessage: ErrorShape = ({ code, message }) => ({ code, message });
