import type { Response } from 'express';
import type { Refusal } from './refusal';

/** A part of a request that was refused, although the request was not: an order of a batch. */
export type RefusedItem = Pick<Refusal, 'errorCode' | 'ids'>;

const noted = new WeakMap<Response, () => RefusedItem[]>();

/**
 * Notes what the result of a request refuses. It is read after the answer, so that no caller waits
 * for it.
 */
export async function noteRefusedItems<Result>(
  res: Response,
  running: Promise<Result>,
  itemsOf: ((result: Result) => RefusedItem[]) | undefined,
): Promise<Result> {
  const result = await running;
  if (itemsOf !== undefined) noted.set(res, () => itemsOf(result));
  return result;
}

export function refusedItemsOf(res: Response): RefusedItem[] {
  return noted.get(res)?.() ?? [];
}
