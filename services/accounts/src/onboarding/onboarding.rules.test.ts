import { progressOf, statusAfter } from './onboarding.rules';

it('returns steps in the expected order, in whatever order they were completed', () => {
  expect(progressOf(['COMPLETED', 'CORNER_STORE_NAME_UPDATE', 'STORE_IMAGE'])).toEqual({
    completedSteps: ['STORE_IMAGE', 'COMPLETED', 'CORNER_STORE_NAME_UPDATE'],
    missingSteps: [
      'DOCUMENT_IMAGE_FRONTAL',
      'DOCUMENT_IMAGE_BACK',
      'SELFIE_IMAGE',
      'CORNER_STORE_INFORMATION',
    ],
  });
});

it('at first misses every step except the new name', () => {
  expect(progressOf([]).missingSteps).toHaveLength(6);
});

it('only COMPLETED moves a store, and only one that is pre-approved', () => {
  expect(statusAfter('COMPLETED', 'pre-approved')).toBe('in-manual-validation');
  expect(statusAfter('COMPLETED', 'in-manual-validation')).toBe('in-manual-validation');
  expect(statusAfter('COMPLETED', 'approved')).toBe('approved');
  expect(statusAfter('STORE_IMAGE', 'pre-approved')).toBe('pre-approved');
});
