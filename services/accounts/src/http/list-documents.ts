import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import type { OnboardingDocument } from '../db/onboarding-document.entity';
import { listDocuments } from '../use-cases/list-documents';

/** GET /v1/admin/corner-stores/:cornerStoreId/documents. */
export function handleListDocuments(context: Context): RequestHandler {
  return async (req, res) => {
    const documents = await listDocuments(context, {
      by: callerOf(req),
      cornerStoreId: idParam(req, 'cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    });
    res.json({ documents: documents.map(presentDocument) });
  };
}

function presentDocument(document: OnboardingDocument): object {
  return {
    documentId: document.id,
    step: document.step,
    wholesalerId: document.wholesalerId,
    verificationId: document.verificationId,
    sha256: document.sha256.toString('hex'),
    sizeBytes: document.sizeBytes,
    width: document.width,
    height: document.height,
    createdAt: document.createdAt.toISOString(),
  };
}
