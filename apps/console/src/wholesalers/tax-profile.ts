import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { changeFieldName } from '../approvals/change-words';
import { buttonForm, foldedForm } from '../frame/form';
import { unlessDown } from '../frame/lists';
import type { Visit } from '../frame/visit';

/** The form of who the commission invoices of a wholesaler are for, as the API has it today. For admins. */
export async function taxProfileForm(visit: Visit, wholesalerId: string): Promise<Html> {
  const { say, viewer } = visit;
  const profile = await unlessDown(viewer.ops.wholesalers.getTaxProfile(wholesalerId));
  const action = `/mayoristas/${wholesalerId}/datos-fiscales`;
  const names = ['rfc', 'legalName', 'taxRegime', 'postalCode', 'cfdiUse', 'email'] as const;
  return html`${foldedForm(visit, {
    summary: say(
      `Datos fiscales: ${profile?.legalName ?? 'no tiene'}`,
      `Tax profile: ${profile?.legalName ?? 'none'}`,
    ),
    hint: say(
      'Cada liquidación que cierre trae la factura de la comisión a este nombre, en mayúsculas y sin “SA DE CV”. Otra persona lo aprueba.',
      'Each statement that closes then has its commission invoice in this name, in capitals and without “SA DE CV”. Another person approves it.',
    ),
    action,
    button: say('Guardar los datos fiscales', 'Save the tax profile'),
    fields: names.map((name) => ({
      name,
      label: changeFieldName(name, say),
      required: name !== 'email',
      value: profile?.[name] ?? '',
    })),
  })}
  ${
    profile === undefined
      ? NOTHING
      : buttonForm(viewer, {
          action: `${action}/quitar`,
          label: say('Quitar los datos fiscales', 'Remove the tax profile'),
        })
  }`;
}
