import type { ImageStep } from '@fiado/contracts/onboarding';

/** A screen that takes one picture. */
export interface PhotoStep {
  step: ImageStep;
  /** The last part of its address. */
  path: string;
  title: string;
  label: string;
  hint: string;
  /** Which camera of the phone opens. */
  camera: 'environment' | 'user';
}

export const PHOTO_STEPS: PhotoStep[] = [
  {
    step: 'DOCUMENT_IMAGE_FRONTAL',
    path: 'frente',
    title: 'Frente de tu identificación',
    label: 'Foto del frente de tu identificación oficial',
    hint: 'Usa tu INE vigente. Ponla sobre una mesa, con buena luz: debe verse completa y poder leerse.',
    camera: 'environment',
  },
  {
    step: 'DOCUMENT_IMAGE_BACK',
    path: 'reverso',
    title: 'Reverso de tu identificación',
    label: 'Foto del reverso de tu identificación oficial',
    hint: 'Voltea tu identificación y toma la foto igual: completa, con buena luz y sin reflejos.',
    camera: 'environment',
  },
  {
    step: 'SELFIE_IMAGE',
    path: 'cara',
    title: 'Foto de tu cara',
    label: 'Foto de tu cara',
    hint: 'Tómala de frente, con buena luz y sin gorra, lentes ni cubrebocas.',
    camera: 'user',
  },
  {
    step: 'STORE_IMAGE',
    path: 'tienda',
    title: 'Foto de tu tienda',
    label: 'Foto de la entrada de tu tienda',
    hint: 'Tómala desde la calle, de día, para que se vea la entrada.',
    camera: 'environment',
  },
];

/** Address of the script that shrinks pictures; no token has a point in it. */
export const PHOTO_SCRIPT_PATH = '/kyc/foto.js';

export const CONSENT_PATH = 'aviso';
export const STORE_DATA_PATH = 'datos';
export const FINISH_PATH = 'terminar';

/** Screens that the progress counts: the consent, the pictures and the store's data. */
export const SCREENS = PHOTO_STEPS.length + 2;

export function photoStepOf(path: string): PhotoStep | undefined {
  return PHOTO_STEPS.find((photo) => photo.path === path);
}
