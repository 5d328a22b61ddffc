import { noticeOf, problem } from './notice';

/** Above a debt that is overdue: what follows from it, and what ends it. */
export const OVERDUE = noticeOf(
  problem(200, 'Págalo cuanto antes: mientras esté vencido no puedes comprar a crédito.'),
);
