import { Personal } from '@fiado/chassis/db/marked-columns';
import type { ImageWarning, OnboardingStep } from '@fiado/contracts/onboarding';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** An image of an onboarding, encrypted in a file. */
@Entity('onboarding_documents')
export class OnboardingDocumentRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'verification_id', type: 'uuid' })
  verificationId: string;

  @Column({ name: 'step', type: 'text' })
  step: OnboardingStep;

  @Personal('images', { suppress: 'deleted' })
  @Column({ name: 'storage_key', type: 'text' })
  storageKey: string;

  /** Hash of the image as it was sent. */
  @Personal('images', { suppress: 'deleted' })
  @Column({ name: 'sha256', type: 'bytea' })
  sha256: Buffer;

  /** Size of the JPEG that is kept; its dimensions follow, in pixels. */
  @Column({ name: 'size_bytes', type: 'integer' })
  sizeBytes: number;

  @Column({ name: 'width', type: 'integer' })
  width: number;

  @Column({ name: 'height', type: 'integer' })
  height: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Null for an image of a release that kept none. */
  @Column({ name: 'warnings', type: 'text', array: true, nullable: true })
  warnings: ImageWarning[] | null;
}
