import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import type { OnboardingStep } from '@fiado/shared/contracts/onboarding';
import { html, NOTHING, type Html } from './html';
import type { Page } from './layout';

/** The steps that a person completes; the wholesaler itself sends COMPLETED. */
const WORDS_OF_STEP: Record<OnboardingStep, string | undefined> = {
  DOCUMENT_IMAGE_FRONTAL: 'Foto del frente de tu identificación oficial',
  DOCUMENT_IMAGE_BACK: 'Foto del reverso de tu identificación oficial',
  SELFIE_IMAGE: 'Foto de tu cara, de frente y sin nada que la cubra',
  STORE_IMAGE: 'Foto de tu tienda',
  CORNER_STORE_INFORMATION: 'Datos de tu tienda: nombre, dirección, giro y antigüedad',
  COMPLETED: undefined,
  CORNER_STORE_NAME_UPDATE: undefined,
};

/** The onboarding steps of a corner store that are missing. Contains no personal data. */
export function onboardingPage(status: CornerStoreStatus, missingSteps: OnboardingStep[]): Page {
  const missing = missingSteps
    .map((step) => WORDS_OF_STEP[step])
    .filter((words) => words !== undefined);
  if (status === 'approved') return APPROVED_PAGE;
  if (status === 'in-manual-validation') return inReviewPage(missing);
  return missing.length === 0 ? ALL_HANDED_IN_PAGE : missingPage(missing);
}

function missingPage(missing: string[]): Page {
  return {
    status: 200,
    title: 'Esto falta para abrir tu crédito',
    content: html`${listOf(missing)}
      <p>Envíalo desde la aplicación de tu proveedor o con su vendedor.</p>
      <p class="quiet">
        Las fotos deben ser a color, con buena luz, y tu identificación debe verse completa.
      </p>`,
  };
}

function inReviewPage(missing: string[]): Page {
  const stillMissing = html`<p>Todavía no tenemos:</p>
    ${listOf(missing)}`;
  return {
    status: 200,
    title: 'Estamos revisando tus datos',
    content: html`<p>Tu proveedor te avisará cuando tu crédito esté listo.</p>
      ${missing.length === 0 ? NOTHING : stillMissing}`,
  };
}

function listOf(items: string[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

const APPROVED_PAGE: Page = {
  status: 200,
  title: 'Tu crédito está aprobado',
  content: html`<p>No falta nada. Ya puedes comprar a crédito con tu proveedor.</p>`,
};

const ALL_HANDED_IN_PAGE: Page = {
  status: 200,
  title: 'Ya tenemos todo',
  content: html`<p>Solo falta que tu proveedor termine tu registro para que lo revisemos.</p>`,
};

export const UNKNOWN_KYC_PAGE: Page = {
  status: 404,
  title: 'Este enlace no sirve o ya venció',
  content: html`<p>
    Los enlaces duran 24 horas. Revisa que esté completo, tal como te llegó, o pide uno nuevo a tu
    proveedor.
  </p>`,
};
