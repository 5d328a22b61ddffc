import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { showDocument } from '../use-cases/show-document';

/** GET /v1/admin/corner-stores/:cornerStoreId/documents/:documentId: the image itself. */
export function handleShowDocument(context: Context): RequestHandler {
  return async (req, res) => {
    const { document, image } = await showDocument(context, {
      by: callerOf(req),
      cornerStoreId: idParam(req, 'cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
      documentId: idParam(req, 'documentId', 'DOCUMENT_NOT_FOUND'),
    });
    const name = `${document.step.toLowerCase()}-${document.id}.jpg`;
    // A stranger's file is saved, never shown in the page's own origin, and never cached.
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    res.setHeader('Cache-Control', 'no-store');
    res.type('image/jpeg').send(image);
  };
}
