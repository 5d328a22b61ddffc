import type { Say } from '../words';
import { percentOf, pesosOf, textOf, timeOf } from './formats';

/** What a change request asks for, in words. A kind of a later release keeps its own name. */
export function kindName(kind: string, say: Say): string {
  const names: Record<string, string> = {
    'corner-store.terms': say('condiciones de una tienda', 'terms of a store'),
    'wholesaler-key.issue': say('llave de un mayorista', 'key of a wholesaler'),
    'ops-key.issue': say('llave de operación', 'ops key'),
    'deposit.reverse': say('reversa de un depósito', 'reversal of a deposit'),
    'deposit.assign': say('asignación de un depósito', 'assignment of a deposit'),
    'staff.invite': say('invitación de una persona', 'invitation of a person'),
    'staff.role': say('rol de una persona', 'role of a person'),
  };
  return names[kind] ?? kind;
}

/** The state of a request, in a word. */
export function changeStatusName(status: string, say: Say): string {
  const names: Record<string, string> = {
    pending: say('en espera', 'waiting'),
    approved: say('aprobada', 'approved'),
    rejected: say('rechazada', 'rejected'),
    expired: say('vencida', 'expired'),
    executed: say('aplicada', 'done'),
    failed: say('no aplicada', 'not done'),
  };
  return names[status] ?? status;
}

/** A field of a request's old and new values, in words. */
export function changeFieldName(field: string, say: Say): string {
  const names: Record<string, string> = {
    creditLimitCents: say('Línea', 'Limit'),
    interestRate: say('Tasa', 'Rate'),
    timeZone: say('Zona horaria', 'Time zone'),
    scopes: say('Permisos', 'Scopes'),
    scope: say('Rol', 'Role'),
    role: say('Rol', 'Role'),
    expiresAt: say('Vence', 'Expires'),
    name: say('Nombre', 'Name'),
    email: say('Correo', 'E-mail'),
    cornerStoreId: say('Tienda', 'Store'),
    userId: say('Cuenta', 'Account'),
    status: say('Estado', 'Status'),
    valorCents: say('Monto', 'Amount'),
    reason: say('Motivo', 'Reason'),
    passkeys: say('Llaves de acceso', 'Passkeys'),
    disabledAt: say('Sin acceso desde', 'No access since'),
  };
  return names[field] ?? field;
}

/** A value of a request as a person reads it: amounts are in cents there. */
export function changeValue(field: string, value: unknown, say: Say): string {
  if (value === null || value === undefined) {
    return field === 'scopes' ? say('todos', 'all') : '—';
  }
  if (typeof value === 'number' && field.endsWith('Cents')) return pesosOf(value / 100);
  if (field === 'interestRate') return percentOf(Number(value));
  if (field.endsWith('At')) return timeOf(value);
  return Array.isArray(value) ? value.join(', ') : textOf(value);
}
