import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImageStep } from '../domain/onboarding';

/** An image of a corner store's onboarding; its content is in the document store. */
@Entity('onboarding_documents')
export class OnboardingDocument {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'corner_store_id' })
  cornerStoreId: string;

  @Column({ type: 'uuid', name: 'wholesaler_id' })
  wholesalerId: string;

  @Column({ type: 'uuid', name: 'verification_id' })
  verificationId: string;

  @Column({ type: 'text' })
  step: ImageStep;

  /** Of the image as it was sent. */
  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** Of the JPEG that is kept, as are its dimensions in pixels. */
  @Column({ type: 'integer', name: 'size_bytes' })
  sizeBytes: number;

  @Column({ type: 'integer' })
  width: number;

  @Column({ type: 'integer' })
  height: number;

  @Column({ type: 'text', name: 'storage_key' })
  storageKey: string;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
