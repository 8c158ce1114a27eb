"""Who answers without a provider: truth from gold, truth with errors, adversaries; see `named.answerer_named`."""
