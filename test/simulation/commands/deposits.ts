import { createHash, randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { query } from '@fiado/chassis/db/query';
import { recordDeposit } from '../../../services/payments/src/deposits/record-deposit';
import { answerOf } from '../history';
import { outstandingOf } from '../model/debts';
import { found, sum } from '../model/model';
import type { System } from '../system/system';
import { at, position, type Step } from './step';

const PROVIDER = randomUUID();
const UNKNOWN_REFERENCE = 'sin referencia';

/** Of each key another time, to the millisecond: two at one time may be one payment. */
function paidAtOf(claveDePago: string): string {
  const digest = createHash('sha256').update(claveDePago).digest();
  return `2026-03-02 ${new Date(digest.readUIntBE(0, 4) % 86_399_999).toISOString().slice(11, 23)}`;
}

/** When most were paid: before everything is due. */
const IN_TIME = Date.parse('2026-03-02T16:00:00Z');

/** A deposit as its provider sends it. */
interface Notice {
  claveDePago: string;
  idFactura: string;
  numeroReferencia: string;
  valorCents: number;
}

/** What is owed, a cent less or more, too much, around the ceiling, or any part. */
const VALUES = ['owed', 'owed', 'less', 'more', 'too much', 'ceiling', 'part', 'part'] as const;

interface DepositPicks {
  order: number;
  store: number;
  names: 'order' | 'store' | 'both' | 'nothing';
  value: (typeof VALUES)[number];
  permille: number;
  typed: boolean;
  /** Whether it is reported at once; otherwise days after it was paid. */
  isPrompt: boolean;
  isSigned: boolean;
}

export const deposit: Step<DepositPicks> = {
  picks: fc.record({
    order: position,
    store: position,
    names: fc.constantFrom('order', 'order', 'store', 'store', 'both', 'nothing'),
    value: fc.constantFrom(...VALUES),
    permille: fc.integer({ min: 1, max: 1_000 }),
    typed: fc.boolean(),
    isPrompt: fc.boolean(),
    isSigned: fc.boolean(),
  }),
  plan: (history, picked) => {
    const { model, state, system } = history;
    const receivable = at(state.receivables, picked.order);
    const balance = at(state.balances, picked.store);
    // Before anything is owed, hardly anybody pays.
    if (receivable === undefined || balance === undefined) return undefined;
    const namesOrder = picked.names === 'order' || picked.names === 'both';
    const namesStore = picked.names === 'store' || picked.names === 'both';
    const paidAt = picked.isPrompt ? model.now : IN_TIME;
    const notice: Notice = {
      claveDePago: `clave-${model.deposits.size + 1}`,
      idFactura: namesOrder ? typed(receivable.idFactura, picked.typed) : UNKNOWN_REFERENCE,
      numeroReferencia: namesStore ? typed(balance.reference, picked.typed) : UNKNOWN_REFERENCE,
      valorCents: valueOf(sum(outstandingOf(found(model.debts, receivable.order))), picked),
    };
    return {
      label: `deposit ${JSON.stringify(notice)}`,
      run: () => record(system, notice, { paidAt, isSigned: picked.isSigned }),
      expect: (model, { ids }) => {
        const { claveDePago: key, valorCents } = notice;
        model.deposits.set(key, {
          key,
          id: ids?.[0] ?? '',
          valorCents,
          status: 'received',
          order: namesOrder ? receivable.order : undefined,
          payer: namesStore ? balance.store : undefined,
          store: undefined,
          surplusCents: 0,
          paidAt,
          isSigned: picked.isSigned,
          receivedAt: model.now,
        });
        return 'acknowledged';
      },
    };
  },
};

/** The provider repeats a deposit, at times with another amount: no money comes of it. */
export const repeatDeposit: Step<{ deposit: number; differs: boolean }> = {
  picks: fc.record({ deposit: position, differs: fc.boolean() }),
  plan: ({ system, model }, picked) => {
    const known = at([...model.deposits.values()], picked.deposit);
    if (known === undefined) return undefined;
    return {
      label: `repeat deposit ${known.key}${picked.differs ? ' with another amount' : ''}`,
      run: async () => {
        const notice = await storedNotice(system, known.id);
        const valorCents = notice.valorCents + Number(picked.differs);
        return record(system, { ...notice, valorCents }, known);
      },
      expect: () => (picked.differs ? 'DEPOSIT_CONFLICT' : 'acknowledged'),
    };
  },
};

function record(
  { payments }: System,
  notice: Notice,
  { paidAt, isSigned }: { paidAt: number; isSigned: boolean },
) {
  const fechaPago = paidAtOf(notice.claveDePago);
  return answerOf(async () => {
    const received = {
      ...notice,
      paymentProviderId: PROVIDER,
      providerName: 'OXXO Pay',
      fechaPago,
      paidAt: new Date(paidAt),
      isSigned,
      body: JSON.stringify(Object.assign({}, notice, { fechaPago })),
    };
    await recordDeposit(payments, received, () => undefined);
    const rows = await query<{ id: string }>(
      payments.db,
      'SELECT id FROM deposits WHERE clave_de_pago = $1',
      [notice.claveDePago],
    );
    return { answer: 'acknowledged', ids: [rows[0]?.id] };
  });
}

async function storedNotice({ payments }: System, depositId: string): Promise<Notice> {
  const rows = await query<Notice>(
    payments.db,
    `SELECT clave_de_pago AS "claveDePago", id_factura AS "idFactura",
            numero_referencia AS "numeroReferencia", valor_cents AS "valorCents"
       FROM deposits WHERE id = $1`,
    [depositId],
  );
  const [notice] = rows;
  if (notice === undefined) throw new Error(`There is no deposit ${depositId}`);
  return notice;
}

function valueOf(owedCents: number, { value, permille }: DepositPicks): number {
  const cents = {
    owed: owedCents,
    less: owedCents - 1,
    more: owedCents + 1,
    'too much': owedCents * 3,
    ceiling: Math.max(1_000_000, owedCents * 3) + (permille % 2),
    part: Math.ceil((owedCents * permille) / 1_000),
  }[value];
  return Math.max(1, cents);
}

/** With the spaces and hyphens of a clerk. */
function typed(reference: string, loosely: boolean): string {
  return loosely ? ` ${reference.slice(0, 4)}-${reference.slice(4)} ` : reference;
}
