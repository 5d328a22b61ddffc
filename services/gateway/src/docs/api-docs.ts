import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOCUMENT_SLUGS } from '@fiado/chassis/openapi/document-links';
import { Router, type Response } from 'express';
import { packagesOf } from './packages';

/** As committed: `npm run generate` makes them from the routes of all services, and from docs/guides. */
const DOCUMENTS = ['openapi.json', 'openapi-admin.json'];
const GUIDES = 'guides.json';
const FIRST_GUIDE = '/docs#guides/description/quick-start';
/** Placeholder address in the commands of the guides. The page shows its own address instead. */
const ADDRESS_IN_GUIDES = 'http://127.0.0.1:3000';
/** Scalar's API reference, in one file. */
const REFERENCE_SCRIPT = resolve(__dirname, '../../vendor/scalar-api-reference/standalone.js');

/** The page loads everything from the gateway, calls nothing else, and uses inline styles. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fiado API</title>
<body>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

/** Only what is served here: no fonts, no usage data and no services of Scalar. */
const SETTINGS = {
  sources: [
    {
      title: 'Wholesalers and payment providers',
      slug: DOCUMENT_SLUGS.integrators,
      url: '/openapi.json',
    },
    { title: 'Ops', slug: DOCUMENT_SLUGS.ops, url: '/openapi-admin.json' },
  ],
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenFirstTag: false,
};

const START = `
fetch('/docs/${GUIDES}')
  .then((answer) => answer.text())
  .then((guides) => {
    const content = guides.replaceAll('${ADDRESS_IN_GUIDES}', location.origin);
    const settings = ${JSON.stringify(SETTINGS)};
    settings.sources.push({ title: 'Guides', slug: 'guides', content });
    Scalar.createApiReference('#reference', settings);
  });
`;

/**
 * GET /openapi.json for wholesalers and payment providers, GET /openapi-admin.json for ops, and
 * GET /docs, which shows both with examples in many languages, and the guides, with the packages that these
 * install. All are open to everyone.
 */
export function apiDocs(): Router {
  const router = Router();
  for (const name of DOCUMENTS) {
    const document = readFileSync(resolve(__dirname, '../..', name), 'utf8');
    router.get(`/${name}`, (_req, res) => {
      res.type('json').send(document);
    });
  }
  router.get('/docs', (_req, res) => {
    protect(res).type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_req, res) => {
    protect(res).type('js').send(START);
  });
  // The page opens a document for its address only when it loads.
  router.get('/docs/guides', (_req, res) => {
    protect(res).redirect(FIRST_GUIDE);
  });
  const guides = readFileSync(resolve(__dirname, '../..', GUIDES), 'utf8');
  router.get(`/docs/${GUIDES}`, (_req, res) => {
    protect(res).type('json').send(guides);
  });
  for (const [name, packed] of packagesOf()) {
    router.get(`/docs/packages/${name}`, async (_req, res) => {
      protect(res)
        .type('application/gzip')
        .send(await packed());
    });
  }
  router.get('/docs/reference.js', (_req, res) => {
    protect(res).sendFile(REFERENCE_SCRIPT);
  });
  return router;
}

function protect(res: Response): Response {
  return res.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}
