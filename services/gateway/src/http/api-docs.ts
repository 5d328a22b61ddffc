import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { serve, setup } from 'swagger-ui-express';

/** As committed: `npm run openapi` makes it from the route tables of all services. */
const DOCUMENT = resolve(__dirname, '../../openapi.json');

/** The page loads everything from here, calls nothing else, and uses inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GET /openapi.json, and GET /docs to read it and to try it out. Both open to everyone. */
export function apiDocs(): Router {
  const document = readFileSync(DOCUMENT, 'utf8');
  const router = Router();
  router.get('/openapi.json', (_req, res) => {
    res.type('json').send(document);
  });
  router.use('/docs', protect, serve);
  router.get(
    '/docs',
    setup(undefined, {
      customSiteTitle: 'Fiado API',
      // Otherwise Otherwise Swagger's external validator would see every visit of this page.
      swaggerOptions: { url: '/openapi.json', validatorUrl: null },
    }),
  );
  return router;
}

const protect: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  next();
};
