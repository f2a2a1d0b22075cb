"""What teachers and learners need of a run: answers that are judged, calculations written out."""
