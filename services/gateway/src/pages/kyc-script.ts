import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RequestHandler } from 'express';

/** Runs in the browser, so it is no part of the build. */
const SCRIPT = readFileSync(resolve(__dirname, '../../public/kyc-photo.js'), 'utf8');
/** A day: the pages of one onboarding load it once. It holds no secret. */
const CACHE_SECONDS = 86_400;

/** GET /kyc/foto.js: the script that shrinks a picture before its form is sent. */
export function handleShowPhotoScript(): RequestHandler {
  return (_req, res) => {
    res.set('Cache-Control', `public, max-age=${CACHE_SECONDS}`).type('js').send(SCRIPT);
  };
}
