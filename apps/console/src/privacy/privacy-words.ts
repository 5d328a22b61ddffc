import type {
  IdentityProof,
  PrivacyAnswer,
  PrivacyChannel,
  PrivacyReason,
  PrivacyRequestKind,
} from '@fiado/contracts/privacy';
import { naming, type Words } from '../frame/words';

const KINDS: Words<PrivacyRequestKind> = {
  access: ['Acceso a sus datos', 'Access to their data'],
  rectification: ['Rectificación', 'Rectification'],
  cancellation: ['Cancelación', 'Cancellation'],
  opposition: ['Oposición', 'Opposition'],
};

const CHANNELS: Words<PrivacyChannel> = {
  email: ['Correo', 'E-mail'],
  letter: ['Carta', 'Letter'],
  phone: ['Llamada', 'Call'],
  'in-person': ['En persona', 'In person'],
  sms: ['SMS', 'SMS'],
};

const PROOFS: Words<IdentityProof> = {
  'official-id': ['Identificación oficial', 'Official identification'],
  'legal-representative': ['Representante legal', 'Legal representative'],
  'code-by-sms': ['Clave por SMS', 'Code by SMS'],
  'phone-number': ['Su número de teléfono', 'Their phone number'],
};

const ANSWERS: Words<PrivacyAnswer> = {
  granted: ['Procede', 'Granted'],
  refused: ['No procede', 'Refused'],
  extended: ['Prorrogar el plazo', 'Extend the time'],
};

const REASONS: Words<PrivacyReason> = {
  'identity-not-proven': ['No probó quién es', 'Identity not proven'],
  'no-data': ['No hay datos de la persona', 'No data of the person'],
  'rights-of-others': ['Afecta derechos de otros', 'Rights of others'],
  'law-or-authority': ['Lo impide una ley o una autoridad', 'A law or an authority forbids it'],
  'contract-in-force': ['El contrato sigue vigente', 'The contract is in force'],
  'already-done': ['Ya se hizo', 'Already done'],
  'many-records': ['Son muchos registros', 'Many records'],
  'identity-in-doubt': ['Falta comprobar quién es', 'The identity is in doubt'],
  'waiting-for-others': ['Falta la respuesta de otros', 'Waiting for others'],
};

export const kindName = naming(KINDS);
export const channelName = naming(CHANNELS);
export const proofName = naming(PROOFS);
export const answerName = naming(ANSWERS);
export const reasonName = naming(REASONS);
