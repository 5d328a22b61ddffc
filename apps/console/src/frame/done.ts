import type { Say } from './words';

const SENTENCES = {
  guardado: ['Listo, se guardó.', 'Done, it is saved.'],
  asignado: [
    'Listo. El depósito paga los adeudos de la tienda en unos segundos.',
    'Done. The deposit pays the debts of the store within seconds.',
  ],
  aprobada: ['Tienda aprobada.', 'Store approved.'],
  rechazada: ['Tienda rechazada.', 'Store rejected.'],
  decidido: ['Listo, se guardó tu decisión.', 'Done, your decision is saved.'],
  reenviado: [
    'Enviado otra vez. Llega en unos segundos.',
    'Sent again. It arrives within seconds.',
  ],
  repetido: ['Se intenta otra vez.', 'It is tried again.'],
  terminada: ['Sesión terminada.', 'Session ended.'],
  revocada: ['Llave revocada.', 'Key revoked.'],
  exportando: [
    'Listo. El archivo se prepara; esta página lo muestra cuando esté.',
    'Done. The file is being made; this page shows it when it is ready.',
  ],
  enlaces: ['Los enlaces ya no sirven.', 'The links no longer work.'],
  faltan: [
    'Se cerró una parte de las liquidaciones: ciérralas otra vez con el mismo día.',
    'Some of the statements are closed: close them again with the same day.',
  ],
  cerradas: ['Listo, se cerraron las liquidaciones.', 'Done, the statements are closed.'],
  liberado: ['Teléfono liberado.', 'Phone freed.'],
} as const;

/** Something that a form has done. */
export type Done = keyof typeof SENTENCES;

/** The address of the page that says so. */
export function withDone(href: string, done: Done | undefined): string {
  if (done === undefined) return href;
  return `${href}${href.includes('?') ? '&' : '?'}aviso=${done}`;
}

/** What was done, as a sentence; undefined for any other text, which anybody may write in an address. */
export function doneSentence(name: unknown, say: Say): string | undefined {
  const sentences: Record<string, readonly [string, string]> = SENTENCES;
  if (typeof name !== 'string' || !Object.hasOwn(sentences, name)) return undefined;
  const [es, en] = sentences[name] ?? ['', ''];
  return say(es, en);
}
