import type { Response } from 'express';
import { stringifyJson } from '@fiado/contracts/json-text';

/** Answers with a value that may hold JsonText, such as a transaction's metadata. */
export function sendJson(res: Response, value: object): void {
  res.type('json').send(stringifyJson(value));
}
