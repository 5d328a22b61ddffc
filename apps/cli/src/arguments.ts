import { InvalidArgumentError } from 'commander';
import { isRate } from '@fiado/contracts/money';

/** Pesos, at most two decimals. */
export function amount(text: string): number {
  if (!/^\d+(\.\d{1,2})?$/.test(text)) {
    throw new InvalidArgumentError('It must be an amount such as 10000.50.');
  }
  return Number(text);
}

/** Pesos or a count, at most two decimals, and negative where something is taken. */
export function signedAmount(text: string): number {
  return text.startsWith('-') ? -amount(text.slice(1)) : amount(text);
}

/** A rate from 0 to 1: 0.05 is five per cent. */
export function rate(text: string): number {
  if (!isRate(text)) {
    throw new InvalidArgumentError(
      'It must be a rate from 0 to 1 such as 0.05, with at most 6 decimals.',
    );
  }
  return Number(text);
}

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(text);
}

export function yesOrNo(text: string): boolean {
  if (text !== 'true' && text !== 'false') {
    throw new InvalidArgumentError('It must be true or false.');
  }
  return text === 'true';
}

/** All ids of the API are UUIDs. Any other text could change the path. */
export function id(text: string): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) {
    throw new InvalidArgumentError(
      'It must be an id such as 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11.',
    );
  }
  return text.toLowerCase();
}

/** Several ids, one after the other. */
export function ids(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), id(text)];
}

/** A queue's or a job's name, as one part of a path. */
export function pathPart(text: string): string {
  if (!/^\w[\w.-]*$/.test(text)) {
    throw new InvalidArgumentError('It may hold letters, digits, dots, dashes and underscores.');
  }
  return text;
}
