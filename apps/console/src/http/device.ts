import type { Request } from 'express';
import { MAX_DEVICE_TEXT } from '@fiado/contracts/staff-sign-in';

/** What a person's list of sessions shows of this browser. */
export function deviceOf(req: Request): { address: string; agent: string } {
  return {
    // As trusted proxies tell it.
    address: (req.ip ?? '').slice(0, MAX_DEVICE_TEXT),
    agent: (req.headers['user-agent'] ?? '').slice(0, MAX_DEVICE_TEXT),
  };
}
