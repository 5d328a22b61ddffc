import { Router, type Express } from 'express';
import type { Health } from '@fiado/chassis/http/health';
import { createApp } from '@fiado/chassis/http/server';
import type { Context } from './context';
import { apiDocs } from './http/api-docs';
import { pageRoutes } from './pages/routes';

export interface OwnApp {
  health: Health;
  /** Whether /metrics is served on the port of the API. */
  showsMetrics: boolean;
}

/** The gateway's own routes, outside /v1: health, metrics, API reference, pages and `GET /`. */
export function createOwnApp(context: Context, { health, showsMetrics }: OwnApp): Express {
  const { tokens, log } = context;
  const open = Router();
  open.use(context.strictTransport);
  open.use(health.router);
  if (showsMetrics) open.use(health.metrics);
  open.use(apiDocs());
  open.use(pageRoutes(context));
  open.get('/', (_req, res) => {
    res.vary('Accept').json({
      name: 'Fiado',
      api: '/v1',
      docs: '/docs',
      openapi: '/openapi.json',
      adminOpenapi: '/openapi-admin.json',
      health: '/health/ready',
    });
  });
  return createApp({ routes: [], open, tokens, log });
}

/** /metrics alone, for a port of its own. */
export function createMetricsApp({ tokens, log }: Context, health: Health): Express {
  return createApp({ routes: [], open: health.metrics, tokens, log });
}
