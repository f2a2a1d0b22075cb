"""Training a document: data, batches, optimisers, and a trainer that runs, stops and starts again."""
